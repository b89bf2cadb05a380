/** What a reload costs, tool by tool, in the HTML report. Pure. */
import { costInWords, sumOfCosts } from '../judge/reloadCost.ts';
import type { ReloadCost } from './facts.ts';
import { markup, type Markup } from './markup.ts';
import { detailOf } from './text.ts';

const SIGNS: Readonly<Record<ReloadCost['cost'], readonly [string, string]>> = {
  cancelled: ['warn', '✕'],
  'kept-as-task': ['good', '✓'],
  'kept-as-question': ['good', '✓'],
  'not-tested': ['soft', '–'],
};

export function drawCosts(costs: readonly ReloadCost[]): Markup | undefined {
  if (costs.length === 0) return undefined;
  const rows = costs.map((cost) => {
    const [tone, sign] = SIGNS[cost.cost];
    return markup`<tr><td><code>${cost.tool}</code></td><td class="${tone}">${sign} ${costInWords(cost)}</td><td>${detailOf(cost).replace(/^: /, '')} ${cost.advice}</td></tr>`;
  });
  return markup`<article class="card" id="costs"><header><h2>What a reload costs</h2></header>
<p>${sumOfCosts(costs)}</p><div class="scroll"><table class="words">${rows}</table></div></article>`;
}
