import { deflateRawSync } from "node:zlib";
import type { SampledSeries, Series, Span } from "../../sdk/behavior/signals";
import { type Chart, type ChartSeries, highestFirst, mostSeries, reducedTo } from "./chart";

/** The most samples that one report holds in full, about 5 MB. */
const mostSamples = 500_000;

/** Packs the series of the charts of one report. */
export class ChartPacker {
  #left = mostSamples;

  pack(series: readonly Series[], span: Span): Pick<Chart, "series" | "reducedFrom"> {
    const all = series.map(({ labels, samples }) => ({ labels, samples: [...samples] }));
    const total = all.reduce((sum, { samples }) => sum + samples.length, 0);
    if (total <= this.#left) {
      this.#left -= total;
      return { series: all.map(packedSeries) };
    }
    const highest = [...all].sort(highestFirst).slice(0, mostSeries);
    const reduced = highest.map(({ labels, samples }) => ({ labels, samples: reducedTo(samples, span) }));
    return { series: reduced.map(packedSeries), reducedFrom: all.length };
  }
}

function packedSeries({ labels, samples }: SampledSeries): ChartSeries {
  const count = samples.length;
  const numbers = new Float64Array(2 * count);
  samples.forEach(([time, value], i) => {
    numbers[i] = time - (samples[i - 1]?.[0] ?? 0);
    numbers[count + i] = value;
  });
  return { labels, count, samples: deflateRawSync(new Uint8Array(numbers.buffer)).toString("base64") };
}
