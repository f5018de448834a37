import process from "node:process";

import Docker from "dockerode";
import { z } from "zod";

const Bridge = z.object({
  IPAM: z.object({ Config: z.array(z.object({ Subnet: z.string(), Gateway: z.string().optional() })) }),
});

/**
 * The address of this machine as containers on the engine's bridge see it. An engine that made its bridge itself a moment
 * ago tells only the subnet until it is started again; the bridge has the first address of it.
 */
export async function bridgeGateway(): Promise<string> {
  if (process.platform !== "linux") return "host.docker.internal";
  const network: unknown = await new Docker().getNetwork("bridge").inspect();
  const [config] = Bridge.parse(network).IPAM.Config;
  if (config === undefined) throw new Error("the engine's bridge has no subnet");
  return config.Gateway ?? config.Subnet.replace(/\.0\/\d+$/u, ".1");
}
