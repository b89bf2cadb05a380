/** One problem in the HTML report: what it is, the lane that shows it, who found it, and the fix as code. Pure. */
import type { LogOf } from './logLinks.ts';
import { joined, markup, type Markup } from './markup.ts';
import { evidenceOf, type Problem } from './problems.ts';
import type { Snippet } from './snippets.ts';
import { describeExchange, describeLevel } from './text.ts';
import { drawWaterfallSvg } from './waterfallSvg.ts';

/** @param number "1 of 3" */
export function drawProblem(problem: Problem, id: string, number: string, logOf: LogOf): Markup {
  const { title, shown, others, hidden, snippets, command } = problem;
  const level = describeLevel(shown);
  const rows = [shown, ...others].map(
    (one) =>
      markup`<li><code>${one.name}</code><span>${evidenceOf(one)}</span>${one.exchange && markup`<details><summary>HTTP exchange</summary><pre>${describeExchange(one.exchange)}</pre></details>`}${drawLog(logOf(one.name))}</li>`,
  );
  return markup`<article class="card problem" id="${id}">
<header><span class="pill">Problem ${number}</span><h2>${title}</h2>${level === '' ? undefined : markup`<span class="level">${level}</span>`}</header>
${shown.waterfall && markup`<div class="scroll lanes">${drawWaterfallSvg(shown.waterfall, shown.name)}</div>`}
<ul class="evidence">${rows}</ul>
${hidden.length === 0 ? undefined : markup`<p class="soft">Not testable because of it: ${hidden.join(', ')}</p>`}
${shown.fix === undefined ? undefined : markup`<h3>Fix</h3><p>${shown.fix}</p>`}
${drawSnippets(snippets, id)}
<p class="again"><span class="soft">Test again:</span> <code>${command}</code></p>
</article>
`;
}

function drawLog(log: string | undefined): Markup | undefined {
  return log === undefined ? undefined : markup`<a href="${log}">Open the log</a>`;
}

/** Tabs without a script: each is a radio button, and the code of the one that is checked is shown. */
function drawSnippets(snippets: readonly Snippet[], id: string): Markup | undefined {
  if (snippets.length === 0) return undefined;
  const tabs = snippets.map(({ sdk, code }, at) => {
    const checked = at === 0 ? markup` checked` : undefined;
    return markup`<input type="radio" name="${id}-sdk" id="${id}-sdk${at}"${checked}><label for="${id}-sdk${at}">${sdk}</label><pre>${drawCode(code)}</pre>`;
  });
  return markup`<div class="tabs">${tabs}</div>`;
}

function drawCode(code: string): Markup {
  const lines = code.split('\n').map((line) => {
    const [tag] = /^[+-]/.exec(line) ?? [];
    if (tag === undefined) return markup`${line}`;
    return tag === '+' ? markup`<ins>${line}</ins>` : markup`<del>${line}</del>`;
  });
  return joined(lines, '\n');
}
