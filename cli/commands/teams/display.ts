import type { TeamEvent } from "../../../sdk/teams/run/teamRun";
import { hanging, usualWidth } from "../../output/text";

/** Where lines are shown: standard output or error. */
interface LineStream {
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

/** An event of one team. */
type OfTeam = Extract<TeamEvent, { readonly team: string }>;

/** The text of an event. */
function wordsOf(event: OfTeam): string {
  if (event.type === "started") return "started";
  if (event.type === "resource") return `${event.action} ${event.resource}`;
  if (event.type === "ended") return event.status;
  return event.type === "warning" ? `warning: ${event.text}` : event.text;
}

const redrawMs = 100;
/** The columns that words need to be read beside the name of their team. */
const narrowestWords = 20;

/**
 * On a terminal a line for each team that runs, and below it how far all are; what needs a reader scrolls away above. In a
 * log a line for each event, so that nothing is lost between two teams.
 */
export class Display {
  readonly #running = new Map<string, string>();
  #width = 0;
  #all = 0;
  #over = 0;
  #failed = 0;
  #operation = "";
  #drawn = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly screen: LineStream,
    private readonly isLive: boolean,
  ) {}

  see(event: TeamEvent): void {
    if (event.type === "skipped") {
      const { length } = event.teams;
      return this.#keep(
        `${length} ${length === 1 ? "team is" : "teams are"} skipped, because the earlier run has finished them`,
      );
    }
    if (event.type === "begin") {
      this.#width = Math.max(0, ...event.teams.map(({ length }) => length));
      this.#all = event.teams.length;
      this.#over = 0;
      this.#operation = event.operation;
    } else {
      const start = `${event.team.padEnd(this.#width)}  ${event.operation.padEnd(7)}  `;
      if (this.isLive) this.#show(event, start, wordsOf(event));
      else this.screen.write(`${start}${wordsOf(event)}\n`);
    }
    if (this.isLive) this.#timer ??= setTimeout(() => this.#draw(), redrawMs);
  }

  #show({ team, ...event }: OfTeam, start: string, words: string): void {
    if (event.type === "ended") {
      this.#running.delete(team);
      this.#over++;
      if (event.status === "done") return;
      this.#failed++;
      this.#keep(start + words);
    } else if (event.type === "started" || event.type === "resource") this.#running.set(team, start + words);
    else {
      const { columns: width = usualWidth } = this.screen;
      // A narrow terminal breaks it by itself, over its whole width; a program's own output may be a table.
      const hasRoom = event.type !== "output" && width - start.length >= narrowestWords;
      const lines = hasRoom ? hanging(words, { start, indent: start.length, width }) : [start + words];
      this.#keep(lines.join("\n"));
    }
  }

  end(): void {
    clearTimeout(this.#timer);
    this.screen.write(this.#erased());
  }

  /** A line that stays. */
  #keep(line: string): void {
    this.screen.write(`${this.#erased()}${line}\n`);
  }

  #draw(): void {
    this.#timer = undefined;
    const { columns = usualWidth, rows = 24 } = this.screen;
    const lines = [...this.#running.values()].slice(0, Math.max(0, rows - 2));
    const failed = this.#failed === 0 ? "" : `, ${this.#failed} failed`;
    lines.push(`${this.#operation}: ${this.#over} of ${this.#all} teams${failed}`);
    // The last column stays free: a full line would wrap, and the count of lines would be wrong.
    const text = lines.map((line) => `${line.slice(0, columns - 1)}\n`).join("");
    this.screen.write(this.#erased() + text);
    this.#drawn = lines.length;
  }

  /** The codes that take away what was drawn. */
  #erased(): string {
    const codes = this.#drawn === 0 ? "" : `\u001b[${this.#drawn}A\u001b[0J`;
    this.#drawn = 0;
    return codes;
  }
}
