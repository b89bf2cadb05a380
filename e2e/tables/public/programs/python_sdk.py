"""Python SDK: `events`, `plain`, `json` or `stateless`."""

import asyncio
import os
import sys

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.streamable_http import EventMessage, EventStore

MODE = sys.argv[1]
STEPS = 10


class MemoryEventStore(EventStore):
    """Keeps events in memory, in the order in which they came."""

    def __init__(self):
        self.events = []

    async def store_event(self, stream_id, message):
        event_id = str(len(self.events) + 1)
        self.events.append((event_id, stream_id, message))
        return event_id

    async def replay_events_after(self, last_event_id, send_callback):
        known = {event_id: stream_id for event_id, stream_id, _ in self.events}
        if last_event_id not in known:
            return None
        stream_id = known[last_event_id]
        for event_id, of_stream, message in self.events[int(last_event_id) :]:
            if of_stream == stream_id and message is not None:
                await send_callback(EventMessage(message, event_id))
        return stream_id


server = MCPServer(f"python-{MODE}")


@server.tool(description="Counts to ten")
async def count(ctx: Context) -> str:
    for step in range(1, STEPS + 1):
        await asyncio.sleep(0.3)
        await ctx.report_progress(step, STEPS)
    return f"Counted to {STEPS}."


server.run(
    transport="streamable-http",
    port=int(os.environ["PORT"]),
    json_response=MODE == "json",
    stateless_http=MODE == "stateless",
    event_store=MemoryEventStore() if MODE == "events" else None,
)
