import { Schema } from "effect"
import { FieldMessage, listOf, oneOf, optional, requiredText, uuid } from "../../kernel/input/Fields.js"
import { partialDecode } from "../../kernel/input/PartialDecode.js"
import { expectation, given, unchangeable } from "../../kernel/input/Patch.js"
import { sampleIds } from "../../kernel/input/samples.js"
import { component, field, part, wire } from "../../kernel/input/wire.js"
import type { Application, Mode } from "../../model/Application.js"
import { scopes } from "../../model/Scope.js"

const limit = Schema.Number.pipe(
  Schema.filter((value) => Number.isSafeInteger(value) && value > 0, {
    jsonSchema: { type: "integer", minimum: 1 },
    [FieldMessage]: "must be a positive whole number"
  })
)

/** Limits in calls a minute; one that is left out stays as it is, or is the default. */
const Limits = Schema.Struct({
  requestsPerMinute: given(limit).pipe(Schema.fromKey("requests_per_minute")),
  sendsPerMinute: given(limit).pipe(Schema.fromKey("sends_per_minute"))
})
const scopeList = listOf(oneOf(scopes), 100)
const connectionIds = listOf(uuid, 1_000)

/** The body of `POST /applications` (docs/reference/administration.md#applications-and-credentials). */
export const ApplicationInput = component(
  "ApplicationInput",
  "An application to create.",
  {
    workspaceId: wire("workspace_id", uuid),
    name: requiredText(255),
    mode: field(oneOf<Mode>(["live", "test"]), {
      description: "A test application uses test connections only, a live application the others only."
    }),
    scopes: scopeList,
    connectionIds: wire("connection_ids", optional(connectionIds), {
      description: "Connections that it may send on and receives events of."
    }),
    limits: field(given(Limits), { description: "Requests per minute. Default: 600 requests and 100 sends." })
  },
  {
    example: {
      workspace_id: sampleIds.workspace,
      name: "Shop",
      mode: "test",
      scopes,
      connection_ids: [sampleIds.connection],
      limits: { requests_per_minute: 1_200 }
    }
  }
)
export type ApplicationInput = typeof ApplicationInput.Type

const changing = {
  name: given(requiredText(255)),
  scopes: given(scopeList),
  connectionIds: wire("connection_ids", given(connectionIds)),
  status: given(oneOf<Application["status"]>(["active", "suspended"]))
}

/** The body of `PATCH /applications/{id}`. */
export const ApplicationPatch = component(
  "ApplicationPatch",
  "What to change; scopes and connections are replaced as a whole.",
  {
    workspaceId: wire("workspace_id", unchangeable),
    mode: unchangeable,
    ...changing,
    limits: given(Limits),
    expect: expectation(part(changing))
  },
  { example: { status: "suspended" } }
)
export type ApplicationPatch = typeof ApplicationPatch.Type

export const decodeApplicationInput = partialDecode(ApplicationInput)
export const decodeApplicationPatch = partialDecode(ApplicationPatch)
