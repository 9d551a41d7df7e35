import { FiberRef, GlobalValue } from "effect"
import { byAdministrator } from "../model/AuditEntry.js"
import { type Changes, row } from "../ports/Changes.js"

/** The actor of this fiber for the audit log: `admin`, or `admin: grace` (docs/reference/administration.md#actor). */
export const actor: FiberRef.FiberRef<string> = GlobalValue.globalValue("@parley/core/actor", () =>
  FiberRef.unsafeMake<string>(byAdministrator)
)

/** Stamps the audit rows of administrators with the current actor, which rules do not receive. */
export const withActor = (changes: Changes, actor: string): Changes =>
  actor === byAdministrator
    ? changes
    : { ...changes, inserts: changes.inserts.map((insert) => rowWithActor(insert, actor)) }

const rowWithActor = (insert: Changes["inserts"][number], actor: string): Changes["inserts"][number] =>
  insert.table === "auditLog" && insert.row.actor === byAdministrator
    ? row("auditLog", { ...insert.row, actor })
    : insert
