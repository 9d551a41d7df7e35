import { Either } from "effect"
import type { Workspace } from "../../access/Workspace.js"
import type { CustomField } from "../../contacts/Contact.js"
import { mostCustomFields } from "../../contacts/ContactInput.js"
import type { Decision } from "../../Decider.js"
import type { Problems, Refusal } from "../../errors/Refusal.js"
import { complete } from "../../input/complete.js"
import type { Draft } from "../../input/Draft.js"
import { changes, expect, row } from "../../ports/Changes.js"
import { workspaceProblems } from "../workspaceProblems.js"
import type { CustomFieldInput } from "./CustomFieldInput.js"

/** All that a new custom field may look at. */
export interface NewCustomFieldWorld {
  readonly workspace: Workspace | undefined
  /** Those that the workspace has. */
  readonly fields: ReadonlyArray<CustomField>
}

/** `POST /custom-fields`. A key that is taken, or one field too many, is 422 at `key`. */
export const createCustomField = (
  world: NewCustomFieldWorld,
  draft: Draft<CustomFieldInput>
): Either.Either<Decision<CustomField>, Refusal> =>
  Either.map(
    complete(
      draft,
      workspaceProblems(draft.value.workspaceId, world.workspace),
      keyProblems(draft.value.key, world.fields)
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
  return fields.length < mostCustomFields
    ? {}
    : { key: [`cannot be added: a workspace has at most ${mostCustomFields} custom fields`] }
}
