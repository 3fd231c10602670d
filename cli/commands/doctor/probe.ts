import { randomUUID } from "node:crypto";
import { isRejection, serviceCodes } from "../../../provider/client/failures";
import { Client } from "../../../provider/client/client";
import { ApiError, ObservabilityError } from "../../../provider/client/errors";
import { type KnownService, listedKind } from "../../../provider/client/knownService";
import { explain } from "../../../provider/lifecycle/notes/explain";
import type { Session } from "../../../provider/lifecycle/session";
import { Target } from "../../../provider/lifecycle/objects/target";
import type { Kind } from "../../../provider/schema/kind";

/** `note`: it works, with a consequence. `unusable`: don't use the provider. `unknown`: no read or dry run shows it. */
export type Level = "ok" | "note" | "missing" | "unusable" | "unknown";

export interface Result {
  readonly level: Level;
  readonly result: string;
  /** What it means for a program, and what to do. */
  readonly meaning?: string | undefined;
  /** The page of the package that explains it. */
  readonly page?: string | undefined;
}

/** One line of the report, under the name by which the pages refer to it. */
export interface DoctorFinding extends Result {
  readonly line: string;
}

/** A result of a level. */
export const shows = (level: Level, result: string, meaning?: string, page?: string): Result => ({
  level,
  result,
  meaning,
  page,
});

/** An answer, or why there is none. */
export type Reply<T> = { readonly answer: T; readonly error?: undefined } | { readonly error: unknown; answer?: never };

/** The longest time of all requests together, and how many questions are asked: most take one request. */
const longestMs = 30_000;
const mostAsked = 50;

/** Asks a service, and measures its answers. */
export class Probe {
  /** The slug of no object. */
  readonly slug = `pulumi-observability-doctor-${randomUUID().slice(0, 8)}`;
  readonly client: Client;
  readonly service: KnownService;
  /** How long the answers took, in milliseconds. */
  readonly times: number[] = [];
  readonly #until = performance.now() + longestMs;

  constructor(readonly run: Session) {
    this.client = new Client(run.settings);
    this.service = this.client.service;
  }

  async ask<T>(request: () => Promise<T>): Promise<Reply<T>> {
    const start = performance.now();
    try {
      if (performance.now() > this.#until || this.times.length >= mostAsked)
        throw new ObservabilityError("timeout", "there was no time left to ask");
      return { answer: await request() };
    } catch (error) {
      return { error };
    } finally {
      this.times.push(performance.now() - start);
    }
  }

  /** A new object of a kind, with the values of the kind's example. */
  target(kind: Kind, args: object = kind.example): Target {
    return new Target(this.run, kind, { ...args, ...(kind.isSingleton ? {} : { name: this.slug, slug: this.slug }) });
  }

  /** An error in words, without the token. */
  reason(doing: string, error: unknown): string {
    return explain(doing, error, this.target(listedKind)).message;
  }
}

/** Whether the service has an operation; empty if the kind has none. */
export type Has = "yes" | "no" | "forbidden" | "unknown" | "not tried" | "";

/** @param mayLack Whether the request addresses an object that may not exist. */
export function shownBy({ error }: Reply<unknown>, mayLack = false): Has {
  if (error === undefined) return "yes";
  if (!(error instanceof ApiError)) return "unknown";
  const { status, serviceCode, isHtml } = error;
  if (status === 403) return "forbidden";
  if (serviceCode === serviceCodes.noSuchObject) return "yes";
  if (![404, 405, 501].includes(status)) return isRejection(error) ? "yes" : "unknown";
  // A 404 may be one of the object or of the operation.
  const isOfObject = mayLack && status === 404 && serviceCode !== serviceCodes.noSuchRoute && !isHtml;
  return isOfObject ? "unknown" : "no";
}
