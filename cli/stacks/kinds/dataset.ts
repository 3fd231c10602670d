import { dataset as kind } from "../../../provider/kinds/dataset";
import { selecting } from "./selections";

export const dataset = selecting(kind, "what reads it finds nothing", {
  configuration: { words: "selection", end: "holds other data" },
});
