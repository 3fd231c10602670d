import { mergeReports } from "../../../teams/report";
import { readReport, tell } from "./command";

/** Prints one report of those of all shards; the exit status is 1 if any team failed. */
export const merge = (files: readonly string[], json: boolean): void => tell(mergeReports(files.map(readReport)), json);
