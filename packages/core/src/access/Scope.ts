import { Schema } from "effect"

/** What a credential may do (spec, Authentication). */
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

/** Every scope there is, in the order of the specification. */
export const scopes: ReadonlyArray<Scope> = Scope.literals
