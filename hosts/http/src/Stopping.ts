import { Context } from "effect"

/** Whether this process was asked to stop and serves on until load balancers have noticed. */
export class Stopping extends Context.Reference<Stopping>()("@parley/host-http/Stopping", {
  defaultValue: (): { current: boolean } => ({ current: false })
}) {}
