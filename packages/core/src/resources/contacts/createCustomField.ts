import { Either } from "effect"
import type { Problems, Refusal } from "../../errors/Refusal.js"
import type { Decision } from "../../kernel/Decider.js"
import { complete } from "../../kernel/input/complete.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { workspaceProblems } from "../../kernel/input/workspaceProblems.js"
import type { CustomField } from "../../model/Contact.js"
import type { Workspace } from "../../model/Workspace.js"
import { changes, expect, row } from "../../ports/Changes.js"
import { maxCustomFields } from "./ContactInput.js"
import type { CustomFieldInput } from "./CustomFieldInput.js"

/** What the creation of a custom field may read. */
export interface NewCustomFieldWorld {
  readonly workspace: Workspace | undefined
  /** All custom fields of the workspace. */
  readonly fields: ReadonlyArray<CustomField>
}

/**
 * `POST /custom-fields`. Fails with 422 at `key` if the key is taken or the workspace has the maximum number of fields.
 */
export const createCustomField = (
  world: NewCustomFieldWorld,
  decoded: PartialDecode<CustomFieldInput>
): Either.Either<Decision<CustomField>, Refusal> =>
  Either.map(
    complete(
      decoded,
      workspaceProblems(decoded.value.workspaceId, world.workspace),
      keyProblems(decoded.value.key, world.fields)
    ),
    (field) => ({
      changes: changes(field.workspaceId, {
        claims: [row("customFields", field)],
        expects: [expect("workspaces", { id: field.workspaceId })]
      }),
      result: field
    })
  )

const keyProblems = (key: string | undefined, fields: ReadonlyArray<CustomField>): Problems => {
  if (fields.some((field) => field.key === key)) return { key: ["is taken by another custom field"] }
  return fields.length < maxCustomFields
    ? {}
    : { key: [`cannot be added: a workspace has at most ${maxCustomFields} custom fields`] }
}
