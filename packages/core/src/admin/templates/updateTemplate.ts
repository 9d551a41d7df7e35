import { Either } from "effect"
import type { Decision } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import { complete } from "../../input/complete.js"
import type { Draft } from "../../input/Draft.js"
import { changeProblems } from "../../input/Patch.js"
import { changeTemplate } from "../../templates/changeTemplate.js"
import type { Template } from "../../templates/Template.js"
import { found } from "../found.js"
import type { TemplatePatch } from "./TemplateInput.js"

/** `PATCH /templates/{id}`: its text, category and status. */
export const updateTemplate = (
  present: Template | undefined,
  draft: Draft<TemplatePatch>
): Either.Either<Decision<Template>, Refusal> =>
  Either.gen(function* () {
    const template = yield* found(present)
    const { workspaceId } = template
    const patch = yield* complete(
      draft,
      changeProblems({
        workspace_id: [workspaceId, draft.value.workspaceId],
        name: [template.name, draft.value.name],
        channel: [template.channel, draft.value.channel],
        language: [template.language, draft.value.language]
      })
    )
    return changeTemplate(template, {
      ...(patch.body === undefined ? {} : { body: patch.body }),
      ...(patch.category === undefined ? {} : { category: patch.category }),
      ...(patch.status === undefined ? {} : { status: patch.status })
    })
  })
