import { Either, Schema } from "effect"
import { FieldMessage, oneOf, optional, requiredText, text, uuid } from "../../kernel/input/Fields.js"
import { partialDecode } from "../../kernel/input/PartialDecode.js"
import { clearable, given, unchangeable } from "../../kernel/input/Patch.js"
import { sampleIds } from "../../kernel/input/samples.js"
import { component, field, wire } from "../../kernel/input/wire.js"
import type { Agent } from "../../model/Agent.js"
import { normaliseHandle } from "../contacts/Handle.js"
import { avatarImage } from "./avatarImage.js"

const normalised = (address: string) => normaliseHandle("email", address)

/** An email address, normalised. */
const email: Schema.Schema<string> = Schema.transform(
  text(255).pipe(
    Schema.filter((address) => Either.isRight(normalised(address)), { [FieldMessage]: "must be an email address" })
  ),
  Schema.String,
  { strict: true, decode: (address) => Either.getOrThrow(normalised(address)), encode: (address) => address }
).annotations({ jsonSchema: { type: "string", format: "email", maxLength: 255 } })

/** The body of `POST /agents` (docs/reference/administration.md#agents-teams-and-tasks). */
export const AgentInput = component("AgentInput", "An agent to create.", {
  workspaceId: wire("workspace_id", uuid, { examples: [sampleIds.workspace] }),
  name: field(requiredText(255), { examples: ["Grace"] }),
  email: field(optional(email), { examples: ["grace@example.com"] })
})
export type AgentInput = typeof AgentInput.Type

/** The body of `PATCH /agents/{id}`. */
export const AgentPatch = component(
  "AgentPatch",
  "What to change.",
  {
    workspaceId: wire("workspace_id", unchangeable),
    name: given(requiredText(255)),
    email: clearable(email),
    avatar: field(clearable(avatarImage), {
      description: "Image that customers see in web chat: PNG, JPEG, WebP or GIF, in base64. Null removes it."
    }),
    status: given(oneOf<Agent["status"]>(["active", "inactive"]))
  },
  { example: { status: "inactive" } }
)
export type AgentPatch = typeof AgentPatch.Type

export const decodeAgentInput = partialDecode(AgentInput)
export const decodeAgentPatch = partialDecode(AgentPatch)
