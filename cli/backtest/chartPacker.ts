import { deflateRawSync } from "node:zlib";
import type { PackedSeries } from "../../sdk/behavior/packed";
import type { Span } from "../../sdk/behavior/signals";
import { type Chart, type ChartSeries, highest, reducedTo } from "./chart";

/** The most samples that one report holds in full, about 5 MB. */
const mostSamples = 500_000;

/** Packs the series of the charts of one report. */
export class ChartPacker {
  #left = mostSamples;

  pack(series: readonly PackedSeries[], span: Span): Pick<Chart, "series" | "reducedFrom"> {
    const total = series.reduce((sum, { samples }) => sum + samples.count, 0);
    if (total <= this.#left) {
      this.#left -= total;
      return { series: series.map(chartSeries) };
    }
    const reduced = highest(series).map(({ labels, samples }) => ({ labels, samples: reducedTo(samples, span) }));
    return { series: reduced.map(chartSeries), reducedFrom: series.length };
  }
}

function chartSeries({ labels, samples }: PackedSeries): ChartSeries {
  const { count } = samples;
  const numbers = new Float64Array(2 * count);
  let [i, last] = [0, 0];
  samples.forEach((time, value) => {
    numbers[i] = time - last;
    numbers[count + i] = value;
    last = time;
    i += 1;
  });
  return { labels, count, samples: deflateRawSync(new Uint8Array(numbers.buffer)).toString("base64") };
}
