import { Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { Decision } from "../../kernel/Decider.js"
import { complete } from "../../kernel/input/complete.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { changeProblems } from "../../kernel/input/Patch.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { Channels } from "../../model/Channel.js"
import type { Template } from "../../model/Template.js"
import { changeTemplate } from "./changeTemplate.js"
import { mailParts, mailProblems } from "./mailParts.js"
import type { TemplatePatch } from "./TemplateInput.js"

/** `PATCH /templates/{id}`: changes body, subject, HTML, category and status. */
export const updateTemplate = (
  present: Template | undefined,
  channels: Channels,
  decoded: PartialDecode<TemplatePatch>
): Either.Either<Decision<Template>, Refusal> =>
  Either.gen(function* () {
    const template = yield* orNotFound(present)
    const { workspaceId } = template
    const patch = yield* complete(
      decoded,
      changeProblems({
        workspace_id: [workspaceId, decoded.value.workspaceId],
        name: [template.name, decoded.value.name],
        channel: [template.channel, decoded.value.channel],
        language: [template.language, decoded.value.language]
      }),
      mailProblems(channels, template.channel, decoded.value)
    )
    const { html = null, subject = null } = template.parts?.mail ?? {}
    const mail = {
      html: patch.html === undefined ? html : patch.html,
      subject: patch.subject === undefined ? subject : patch.subject
    }
    return changeTemplate(template, {
      ...(patch.body === undefined ? {} : { body: patch.body }),
      ...(mail.html === html && mail.subject === subject ? {} : { parts: mailParts(mail) }),
      ...(patch.category === undefined ? {} : { category: patch.category }),
      ...(patch.status === undefined ? {} : { status: patch.status })
    })
  })
