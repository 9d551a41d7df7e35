import { Either } from "effect"
import type { Workspace } from "../../access/Workspace.js"
import type { Decision } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import type { Instant } from "../../Instant.js"
import { complete } from "../../input/complete.js"
import type { Draft } from "../../input/Draft.js"
import { changes, expect, row } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import type { Template } from "../../templates/Template.js"
import { workspaceProblems } from "../workspaceProblems.js"
import type { TemplateInput } from "./TemplateInput.js"

/** All that a new template may look at. */
export interface NewTemplateWorld {
  readonly workspace: Workspace | undefined
  /** Templates of the workspace with its name on its channel, one a language. */
  readonly namesakes: ReadonlyArray<Template>
}

/** `POST /templates`. A name that is taken in this language on this channel is 422 at `name`. */
export const createTemplate = (
  world: NewTemplateWorld,
  draft: Draft<TemplateInput>,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Template>, Refusal> =>
  Either.map(
    complete(
      draft,
      workspaceProblems(draft.value.workspaceId, world.workspace),
      world.namesakes.some(({ language }) => language === draft.value.language)
        ? { name: ["is taken by another template in this language on this channel"] }
        : {}
    ),
    (input) => {
      const template: Template = {
        ...input,
        id: ids.next(now),
        status: input.status ?? "draft",
        createdAt: now,
        version: 1
      }
      return {
        changes: changes(template.workspaceId, {
          claims: [row("templates", template)],
          expects: [expect("workspaces", { id: template.workspaceId })]
        }),
        result: template
      }
    }
  )
