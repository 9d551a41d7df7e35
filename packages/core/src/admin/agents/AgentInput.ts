import { Either, Schema } from "effect"
import type { Agent } from "../../agents/Agent.js"
import { normaliseHandle } from "../../contacts/Handle.js"
import { draft } from "../../input/Draft.js"
import { oneOf, optional, requiredText, text, uuid, Words } from "../../input/Fields.js"
import { clearable, given, unchangeable } from "../../input/Patch.js"

const normalised = (address: string) => normaliseHandle("email", address)

/** An email address, normalised. */
const email: Schema.Schema<string> = Schema.transform(
  text(255).pipe(
    Schema.filter((address) => Either.isRight(normalised(address)), { [Words]: "must be an email address" })
  ),
  Schema.String,
  { strict: true, decode: (address) => Either.getOrThrow(normalised(address)), encode: (address) => address }
).annotations({ jsonSchema: { type: "string", format: "email", maxLength: 255 } })

/** The body of `POST /agents` (decisions.md §14). */
export const AgentInput = Schema.Struct({
  workspaceId: Schema.propertySignature(uuid).pipe(Schema.fromKey("workspace_id")),
  name: requiredText(255),
  email: optional(email)
}).annotations({ identifier: "AgentInput" })
export type AgentInput = typeof AgentInput.Type

/** The body of `PATCH /agents/{id}`. */
export const AgentPatch = Schema.Struct({
  workspaceId: unchangeable.pipe(Schema.fromKey("workspace_id")),
  name: given(requiredText(255)),
  email: clearable(email),
  status: given(oneOf<Agent["status"]>(["active", "inactive"]))
}).annotations({ identifier: "AgentPatch" })
export type AgentPatch = typeof AgentPatch.Type

export const agentDraft = draft(AgentInput)
export const agentPatchDraft = draft(AgentPatch)
