import type { Dispatcher } from "undici";

import { ModelError } from "../tool-loop/model-error.js";

type Variables = Readonly<Record<string, string | undefined>>;
export type Fetch = (url: URL, request: RequestInit) => Promise<Response>;

/** The proxy that a variable names for an address. */
export interface NamedProxy {
  readonly variable: string;
  /** May hold a password. */
  readonly address: string;
  /** Hosts that are reached without it, as `NO_PROXY` lists them. */
  readonly except: string;
}

/**
 * The proxy for an address, by `http_proxy` or `https_proxy` and `no_proxy` in small or capital letters; the small ones
 * win. Undefined for none, and always for this machine itself.
 */
export function proxyFor({ protocol, hostname }: URL, env: Variables): NamedProxy | undefined {
  if (/^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/u.test(hostname)) return undefined;
  const small = `${protocol.slice(0, -1)}_proxy`;
  const variable = [small, small.toUpperCase()].find((name) => (env[name] ?? "") !== "");
  const address = variable === undefined ? undefined : env[variable];
  if (variable === undefined || address === undefined) return undefined;
  const except = [env["no_proxy"], env["NO_PROXY"]].find((list) => (list ?? "") !== "") ?? "";
  return { variable, address: address.includes("://") ? address : `http://${address}`, except };
}

/**
 * A `fetch` that goes through a proxy. To an https address the proxy only makes a tunnel (CONNECT), within which it
 * can read nothing.
 * @throws ModelError refused, for what is no address of an http or https proxy
 */
export async function fetchThrough({ variable, address, except }: NamedProxy): Promise<Fetch> {
  // Node's own `fetch` heeds no such variables before 22.21, and takes no dispatcher of another release.
  const { EnvHttpProxyAgent, fetch } = await import("undici");
  const dispatcher = usable(
    () => new EnvHttpProxyAgent({ httpProxy: address, httpsProxy: address, noProxy: except }),
    address,
    variable,
  );
  return async (url, request) => {
    const response: unknown = await fetch(url, { ...(request as object), dispatcher });
    // The same interface, of which only the types differ.
    return response as Response;
  };
}

function usable(make: () => Dispatcher, address: string, variable: string): Dispatcher {
  const refusal = `${variable} names no http or https proxy; give an address such as http://proxy.example:3128`;
  if (!/^https?:$/u.test(URL.canParse(address) ? new URL(address).protocol : ""))
    throw new ModelError("refused", refusal);
  try {
    return make();
  } catch (error) {
    throw new ModelError("refused", refusal, undefined, { cause: error });
  }
}
