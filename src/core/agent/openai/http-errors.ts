import { isTooLong, ModelError, type ModelTrouble } from "../tool-loop/model-error.js";
import { errorWords } from "./wire.js";

/** Longer words of an endpoint, a page for browsers for example, are cut. */
const MOST_WORDS = 300;

const NO_CREDIT = /insufficient_quota|credit|billing/iu;
/** Besides 5xx: request timeout, conflict, too early, too many requests. */
const PASSING = new Set([408, 409, 425, 429]);

/** @param keyName the variable that the key came from, for the words to the user; undefined for none */
export function httpError(
  response: Pick<Response, "status" | "statusText" | "headers">,
  body: string,
  keyName: string | undefined,
): ModelError {
  const { status } = response;
  const said = oneLine(errorWords(parseJson(body)) ?? body);
  const words = `${status}${said === "" ? ` ${response.statusText}`.trimEnd() : `: ${said}`}`;
  if (status === 401 || status === 403) {
    const remedy =
      keyName === undefined ? "name the variable that holds one" : `check the variable ${keyName}`;
    return new ModelError("refused", `The model's endpoint refused the key; ${remedy} (${words})`);
  }
  const trouble = troubleOf(status, said);
  const retryAfter = trouble === "passing" ? retryAfterOf(response.headers) : undefined;
  return new ModelError(trouble, `${HEADINGS[trouble]} (${words})`, retryAfter);
}

const HEADINGS: Readonly<Record<ModelTrouble, string>> = {
  refused: "The model's endpoint refused the request",
  passing: "The model's endpoint is in trouble",
  "too-long": "The conversation has grown too long for the model",
};

function troubleOf(status: number, words: string): ModelTrouble {
  if (status === 429 && NO_CREDIT.test(words)) return "refused";
  if (status >= 500 || PASSING.has(status)) return "passing";
  return (status === 400 || status === 413 || status === 422) && isTooLong(words) ? "too-long" : "refused";
}

/** The header's seconds or date, in milliseconds from now (RFC 9110, 10.2.3). */
function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+(?:\.\d+)?$/u.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

export function isRedirect({ status }: Pick<Response, "status">): boolean {
  return status >= 300 && status < 400;
}

/** @param url the endpoint's own address */
export function redirectError(
  { status, headers }: Pick<Response, "status" | "headers">,
  url: URL,
): ModelError {
  const location = headers.get("location") ?? "";
  const to = URL.canParse(location, url.href) ? ` to ${new URL(location, url).host}` : "";
  return new ModelError(
    "refused",
    `The model's endpoint sends requests on${to}; give the address that it has there (${status})`,
  );
}

/**
 * Why there was no connection, or why it ended.
 * @param proxy the variable that names the proxy on the way; undefined for none
 */
export function connectionError(error: unknown, url: URL, proxy: string | undefined): ModelError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const words = cause instanceof Error ? wordsOf(cause) : String(cause);
  const way = proxy === undefined ? "" : `; asked was the proxy that ${proxy} names`;
  const message = `The model's endpoint ${url.host} cannot be reached (${oneLine(words)})${way}`;
  return new ModelError("passing", message, undefined, { cause: error });
}

/** Several failed addresses make an error without words. */
function wordsOf(error: Error): string {
  const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
  return error.message === "" ? code : error.message;
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/gu, " ").trim();
  return line.length <= MOST_WORDS ? line : `${line.slice(0, MOST_WORDS)}…`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
