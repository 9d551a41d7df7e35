import { Either } from "effect"
import type { Workspace } from "../../access/Workspace.js"
import type { Bot } from "../../bots/Bot.js"
import { scriptOf } from "../../bots/ScriptInput.js"
import { type ScriptReferences, scriptReferenceProblems } from "../../bots/scriptReferences.js"
import type { Decision } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import type { Instant } from "../../Instant.js"
import { complete } from "../../input/complete.js"
import type { Draft } from "../../input/Draft.js"
import { changes, expect, row } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { audited } from "../audited.js"
import { workspaceProblems } from "../workspaceProblems.js"
import type { BotInput } from "./BotInput.js"

/** `POST /bots`. What its script names has to be there, or the problems say where it is not. */
export const createBot = (
  world: { readonly workspace: Workspace | undefined; readonly references: ScriptReferences },
  draft: Draft<BotInput>,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Bot>, Refusal> =>
  Either.map(
    complete(
      draft,
      workspaceProblems(draft.value.workspaceId, world.workspace),
      world.workspace === undefined ? {} : scriptReferenceProblems(draft.value, world.references)
    ),
    (input) => {
      const { name, status, workspaceId } = input
      const bot: Bot = {
        id: ids.next(now),
        workspaceId,
        name,
        status,
        script: scriptOf(input),
        createdAt: now,
        version: 1
      }
      const entry = { workspaceId, applicationId: null, action: "bot.created", subjectId: bot.id }
      return {
        changes: changes(workspaceId, {
          expects: [expect("workspaces", { id: workspaceId })],
          inserts: [row("bots", bot), audited(entry, now, ids)]
        }),
        result: bot
      }
    }
  )
