import { boolean, list, shape, string } from "../../schema/field";

/** How the series of a query are grouped into signals. */
export const signalGrouping = shape("SignalGrouping", "How the series of a query are grouped into signals.", {
  labelNames: list(string(""), "The labels whose values make one signal. Not together with `signalPerSeries`.", {
    unordered: true,
    format: "set",
  }),
  signalPerSeries: boolean("One signal per series. Not together with `labelNames`.", { default: "false" }),
});
