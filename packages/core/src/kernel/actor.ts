import { FiberRef, GlobalValue } from "effect"
import { byAdministrator } from "../model/AuditEntry.js"
import type { Ids } from "../ports/Ids.js"

/** The actor of this fiber for the audit log: `admin`, or `admin: grace` (docs/reference/administration.md#actor). */
export const actor: FiberRef.FiberRef<string> = GlobalValue.globalValue("@parley/core/actor", () =>
  FiberRef.unsafeMake<string>(byAdministrator)
)

/** Ids and secrets for a rule, and the actor of its audit rows. */
export interface ActingIds extends Ids {
  readonly actor: string
}
