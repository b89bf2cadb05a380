/** What happens on the wire when a page is reloaded in the middle of a call, as Mermaid source in Markdown. */

export const DIAGRAMS = `# Sequence diagrams

## A call survives a reload

\`countdown\` runs while the page is reloaded. The new page resumes the stream of the call from the last event ID that the old
page stored, so the server replays the two events that no page received.

\`\`\`mermaid
sequenceDiagram
participant L1 as Page load 1
participant L2 as Page load 2
participant S as Server
L1->>S: tools/call countdown
S->>L1: notifications/progress 1/5
S->>L1: notifications/progress 2/5
Note over L1,L2: Page reloaded, no page for 400 ms
L2->>S: GET with Last-Event-ID e2
rect rgba(20, 150, 140, 0.2)
Note over L2,S: 2 missed events replayed
S->>L2: notifications/progress 3/5
S->>L2: notifications/progress 4/5
end
S->>L2: notifications/progress 5/5
S-->>L2: result
\`\`\`

To make such a diagram of your own call, press **Copy as Mermaid** beside its result.
`;
