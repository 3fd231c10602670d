import { removing } from "./rules";

export const dataset = removing("what reads it finds nothing");
