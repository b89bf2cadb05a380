/** What a reload costs, tool by tool, in the HTML report. Pure. */
import { costInWords, untestedIn } from '../judge/reloadCost.ts';
import type { ReloadCost } from './facts.ts';
import { markup, type Markup } from './markup.ts';
import { detailOf } from './text.ts';

const SIGNS: Readonly<Record<ReloadCost['cost'], readonly [tone: string, sign: string]>> = {
  cancelled: ['warn', '✕'],
  'kept-as-task': ['good', '✓'],
  'kept-as-question': ['good', '✓'],
  'not-tested': ['soft', '–'],
};

export function drawCosts(costs: readonly ReloadCost[]): Markup | undefined {
  if (costs.length === 0) return undefined;
  const tested = costs.filter(({ cost }) => cost !== 'not-tested');
  const rows = tested.map((cost) => {
    const [tone, sign] = SIGNS[cost.cost];
    return markup`<tr><td><code>${cost.tool}</code></td><td class="${tone}">${sign} ${costInWords(cost)}</td><td>${detailOf(cost)} ${cost.advice}</td></tr>`;
  });
  const untested = untestedIn(costs).map(
    ({ why, tools }) => markup`<p class="soft">– Not tested: <code>${tools.join(', ')}</code>. ${why}</p>`,
  );
  return markup`<article class="card" id="costs"><header><h2>Calls that a reload cancels</h2></header>
<div class="scroll"><table class="words">${rows}</table></div>${untested}</article>`;
}
