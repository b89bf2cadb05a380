"""FastMCP for Python: `events`, `plain` or `stateless`, behind Starlette's CORS middleware."""

import asyncio
import os
import sys

import uvicorn
from fastmcp import Context, FastMCP
from fastmcp.server.event_store import EventStore
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware

MODE = sys.argv[1]
STEPS = 10

server = FastMCP(f"fastmcp-{MODE}")


@server.tool(description="Counts to ten")
async def count(ctx: Context) -> str:
    for step in range(1, STEPS + 1):
        await asyncio.sleep(0.3)
        await ctx.report_progress(step, STEPS)
    return f"Counted to {STEPS}."


cors = Middleware(
    CORSMiddleware,
    allow_origins=["*"],
    allow_methods=["*"],
    allow_headers=["*"],
    expose_headers=["mcp-session-id"],
)
app = server.http_app(
    middleware=[cors],
    stateless_http=MODE == "stateless",
    event_store=EventStore() if MODE == "events" else None,
)
uvicorn.run(app, port=int(os.environ["PORT"]), log_level="warning")
