import { boolean, list, shape, string } from "../../schema/field";

/** How the series of a query are grouped into signals. */
export const signalGrouping = shape("SignalGrouping", "How the series of a query are grouped into signals.", {
  labelNames: list(
    string(""),
    "The labels that define a signal: series with equal values of these labels are one signal. Not together with `signalPerSeries`.",
    {
      unordered: true,
      format: "set",
    },
  ),
  signalPerSeries: boolean("Whether each series is a signal of its own. Not together with `labelNames`.", {
    default: "false",
  }),
});
