import { FiberRef, GlobalValue } from "effect"
import { type Changes, row } from "../ports/Changes.js"
import { byAdministrator } from "./AuditEntry.js"

/** Whoever acts in this fiber, as the audit log names it: `admin`, or `admin: grace` where the administrator says who it is. */
export const actor: FiberRef.FiberRef<string> = GlobalValue.globalValue("@parley/core/actor", () =>
  FiberRef.unsafeMake<string>(byAdministrator)
)

/** The changes as this actor's: the rules that write what an administrator did do not know which one it was. */
export const signed = (changes: Changes, actor: string): Changes =>
  actor === byAdministrator
    ? changes
    : { ...changes, inserts: changes.inserts.map((insert) => signedRow(insert, actor)) }

const signedRow = (insert: Changes["inserts"][number], actor: string): Changes["inserts"][number] =>
  insert.table === "auditLog" && insert.row.actor === byAdministrator
    ? row("auditLog", { ...insert.row, actor })
    : insert
