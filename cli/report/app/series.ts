import type { Labels, Sample } from "../../../sdk/behavior/signals";
import type { ChartSeries } from "../../backtest/chart";

/** A series of a chart, with its samples as the backtest had them. */
export interface UnpackedSeries {
  readonly labels: Labels;
  readonly samples: readonly Sample[];
}

export async function unpacked({ labels, count, samples }: ChartSeries): Promise<UnpackedSeries> {
  const bytes = Uint8Array.from(atob(samples), (letter) => letter.charCodeAt(0));
  const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const numbers = new Float64Array(await new Response(inflated).arrayBuffer());
  let time = 0;
  const all = Array.from({ length: count }, (_, i): Sample => {
    time += numbers[i] ?? 0;
    return [time, numbers[count + i] ?? NaN];
  });
  return { labels, samples: all };
}
