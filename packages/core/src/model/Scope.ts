import { Schema } from "effect"

/** A permission of a credential (docs/reference/authentication.md#scopes). */
export const Scope = Schema.Literal(
  "messages.send",
  "messages.read",
  "messages.status",
  "templates.read",
  "templates.send",
  "contacts.read",
  "contacts.write",
  "leads.create",
  "leads.read",
  "webhooks.receive",
  "events.send"
)
export type Scope = typeof Scope.Type

/** All scopes, in the order of the reference. */
export const scopes: ReadonlyArray<Scope> = Scope.literals
