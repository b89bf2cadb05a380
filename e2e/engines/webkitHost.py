#!/usr/bin/python3
"""A small WebKitGTK browser: tabs of one profile folder, driven by lines of JSON.

stdin:  {"id": 1, "do": "open"}; "goto" (url), "reload", "reloadAtOnce", "run" (body), "crash", "close" with "tab"
stdout: {"id": 1, "value": ...} or {"id": 1, "error": "..."}; {"console": "..."} for errors and warnings
It quits when stdin ends, so it never outlives the run that started it.
"""
import json
import os
import sys
import threading

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import GLib, Gtk, WebKit2  # noqa: E402

profile = sys.argv[1]
Gtk.init([])
data = WebKit2.WebsiteDataManager(
    base_data_directory=os.path.join(profile, "data"), base_cache_directory=os.path.join(profile, "cache")
)
context = WebKit2.WebContext.new_with_website_data_manager(data)
if len(sys.argv) > 2:
    context.get_website_data_manager().set_network_proxy_settings(
        WebKit2.NetworkProxyMode.CUSTOM, WebKit2.NetworkProxySettings.new(sys.argv[2], [])
    )
tabs = {}

CONSOLE = """(() => {
  const keep = (text) => window.webkit.messageHandlers.said.postMessage(String(text).slice(0, 500));
  for (const level of ['error', 'warn']) {
    const was = console[level];
    console[level] = (...what) => { keep(what.map((one) => one?.message ?? one).join(' ')); was.apply(console, what); };
  }
  addEventListener('error', ({ message }) => keep(message));
  addEventListener('unhandledrejection', ({ reason }) => keep(reason?.message ?? reason));
})();"""


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


class Tab:
    def __init__(self):
        content = WebKit2.UserContentManager()
        content.add_script(
            WebKit2.UserScript.new(
                CONSOLE, WebKit2.UserContentInjectedFrames.TOP_FRAME, WebKit2.UserScriptInjectionTime.START, None, None
            )
        )
        content.connect("script-message-received::said", lambda _, m: say({"console": m.get_js_value().to_string()}))
        content.register_script_message_handler("said")
        self.view = WebKit2.WebView(web_context=context, user_content_manager=content)
        self.view.get_settings().set_hardware_acceleration_policy(WebKit2.HardwareAccelerationPolicy.NEVER)
        self.window = Gtk.Window()
        self.window.set_default_size(1280, 800)
        self.window.add(self.view)
        self.window.show_all()
        self.waiting = []
        self.is_cancelled = False
        self.view.connect("load-changed", self.changed)
        self.view.connect("load-failed", self.failed)
        self.view.connect("web-process-terminated", lambda *_: self.settle())

    def changed(self, _view, event):
        if event != WebKit2.LoadEvent.FINISHED:
            return
        # The end of a load that another one has replaced is not what anybody waits for.
        if self.is_cancelled:
            self.is_cancelled = False
        else:
            self.settle()

    def failed(self, _view, _event, _url, error):
        self.is_cancelled = error.matches(WebKit2.network_error_quark(), WebKit2.NetworkError.CANCELLED)
        return False

    def settle(self):
        for reply in self.waiting:
            reply()
        self.waiting = []

    def load(self, begin, reply):
        self.waiting.append(reply)
        begin()

    def run(self, body, reply, fail):
        def done(view, result):
            try:
                reply(json.loads(view.call_async_javascript_function_finish(result).to_string()))
            except GLib.Error as error:
                fail(error.message)

        script = "return JSON.stringify(await (async () => { " + body + " })()) ?? 'null'"
        self.view.call_async_javascript_function(script, -1, None, None, None, None, done)


def handle(command):
    key, do = command["id"], command["do"]

    def reply(value=None):
        say({"id": key, "value": value})

    def fail(text):
        say({"id": key, "error": text})

    if do == "open":
        tabs[key] = Tab()
        return reply(key)
    tab = tabs.get(command["tab"])
    if tab is None:
        return fail("The tab is closed.")
    if do == "goto":
        tab.load(lambda: tab.view.load_uri(command["url"]), reply)
    elif do == "reload":
        tab.load(tab.view.reload, reply)
    elif do == "reloadAtOnce":
        tab.view.reload()
        reply()
    elif do == "run":
        tab.run(command["body"], reply, fail)
    elif do == "crash":
        tab.load(tab.view.terminate_web_process, reply)
    elif do == "close":
        tabs.pop(command["tab"]).window.destroy()
        reply()


def read():
    for line in sys.stdin:
        GLib.idle_add(handle, json.loads(line))
    GLib.idle_add(Gtk.main_quit)


threading.Thread(target=read, daemon=True).start()
version = (WebKit2.get_major_version(), WebKit2.get_minor_version(), WebKit2.get_micro_version())
print("ready", ".".join(str(part) for part in version), flush=True)
Gtk.main()
