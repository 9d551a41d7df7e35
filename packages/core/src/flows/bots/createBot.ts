import { Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { ActingIds } from "../../kernel/actor.js"
import { auditRow } from "../../kernel/auditRow.js"
import type { Decision } from "../../kernel/Decider.js"
import { complete } from "../../kernel/input/complete.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { workspaceProblems } from "../../kernel/input/workspaceProblems.js"
import type { Bot } from "../../model/Bot.js"
import type { Instant } from "../../model/Instant.js"
import type { Workspace } from "../../model/Workspace.js"
import { changes, expect, row } from "../../ports/Changes.js"
import type { BotInput } from "./BotInput.js"
import { scriptOf } from "./ScriptInput.js"
import { type ScriptReferences, scriptReferenceProblems } from "./scriptReferences.js"

/** `POST /bots`. Fails with `validation_failed` for references of the script that do not exist. */
export const createBot = (
  world: { readonly workspace: Workspace | undefined; readonly references: ScriptReferences },
  decoded: PartialDecode<BotInput>,
  now: Instant,
  ids: ActingIds
): Either.Either<Decision<Bot>, Refusal> =>
  Either.map(
    complete(
      decoded,
      workspaceProblems(decoded.value.workspaceId, world.workspace),
      world.workspace === undefined ? {} : scriptReferenceProblems(decoded.value, world.references)
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
          inserts: [row("bots", bot), auditRow(entry, now, ids)]
        }),
        result: bot
      }
    }
  )
