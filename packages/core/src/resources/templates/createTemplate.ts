import { Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { Decision } from "../../kernel/Decider.js"
import { complete } from "../../kernel/input/complete.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { workspaceProblems } from "../../kernel/input/workspaceProblems.js"
import type { Channels } from "../../model/Channel.js"
import type { Instant } from "../../model/Instant.js"
import type { Template } from "../../model/Template.js"
import type { Workspace } from "../../model/Workspace.js"
import { changes, expect, row } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { channelProblems } from "../channels/channelProblems.js"
import { mailParts, mailProblems } from "./mailParts.js"
import type { TemplateInput } from "./TemplateInput.js"
import { noAccount } from "./templateAccount.js"

/** What the creation of a template may read. */
export interface NewTemplateWorld {
  readonly workspace: Workspace | undefined
  /** The channels of the host. */
  readonly channels: Channels
  /** Templates of the workspace with this name on this channel, one for each language. */
  readonly namesakes: ReadonlyArray<Template>
}

/** `POST /templates`. Fails with 422 at `name` if the name is taken in this language on this channel. */
export const createTemplate = (
  world: NewTemplateWorld,
  decoded: PartialDecode<TemplateInput>,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Template>, Refusal> =>
  Either.map(
    complete(
      decoded,
      workspaceProblems(decoded.value.workspaceId, world.workspace),
      channelProblems(world.channels, decoded.value.channel),
      mailProblems(world.channels, decoded.value.channel, decoded.value),
      world.namesakes.some(({ language }) => language === decoded.value.language)
        ? { name: ["is taken by another template in this language on this channel"] }
        : {}
    ),
    ({ html, subject, ...input }) => {
      const template: Template = {
        ...input,
        id: ids.next(now),
        account: noAccount,
        parts: mailParts({ html, subject }),
        status: input.status ?? "draft",
        statusAt: null,
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
