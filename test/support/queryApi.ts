import type { ServerResponse } from "node:http";
import { listen } from "./http.js";

/** What was asked. */
export interface AskedRange {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly query: string;
  readonly start: number;
  readonly end: number;
  readonly step: number;
}

/** The series of a query: labels, and the value at a time; undefined is a missing sample. */
export interface Generated {
  readonly metric: Readonly<Record<string, string>>;
  readonly valueAt: (time: number) => number | undefined;
}

type Answer = (asked: AskedRange, response: ServerResponse) => void | Promise<void>;

/** The points that Prometheus refuses to exceed. */
const mostPoints = 11_000;

/** What Prometheus answers. */
export function prometheusAnswer(series: (query: string) => readonly Generated[]): Answer {
  return ({ query, start, end, step }, response) => {
    if ((end - start) / step > mostPoints) {
      return answerJson(response, 400, {
        status: "error",
        errorType: "bad_data",
        error:
          "exceeded maximum resolution of 11,000 points per timeseries. Try decreasing the query resolution (?step=XX)",
      });
    }
    const result = series(query).flatMap(({ metric, valueAt }) => {
      const values: [number, string][] = [];
      for (let time = start; time <= end; time += step) {
        const value = valueAt(time);
        if (value !== undefined) values.push([time, String(value)]);
      }
      return values.length === 0 ? [] : [{ metric, values }];
    });
    answerJson(response, 200, { status: "success", data: { resultType: "matrix", result } });
  };
}

export function answerJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** A small query API of the form of Prometheus on loopback, which ends with the test file. Set `answer` to change its mind. */
export async function queryApi(first: Answer) {
  const asked: AskedRange[] = [];
  let [underWay, most] = [0, 0];
  const api = { answer: first, asked, url: "", most: () => most };
  api.url = await listen(async (request, response) => {
    underWay += 1;
    most = Math.max(most, underWay);
    response.once("close", () => (underWay -= 1));
    let body = "";
    for await (const chunk of request) body += chunk;
    const url = new URL(request.url ?? "", "http://unused");
    const form = request.method === "POST" ? new URLSearchParams(body) : url.searchParams;
    const number = (name: string) => Number(form.get(name));
    const range = {
      method: request.method ?? "",
      path: url.pathname,
      headers: request.headers,
      query: form.get("query") ?? "",
      start: number("start"),
      end: number("end"),
      step: number("step"),
    };
    asked.push(range);
    await api.answer(range, response);
  });
  return api;
}
