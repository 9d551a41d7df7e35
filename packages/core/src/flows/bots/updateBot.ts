import { Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { ActingIds } from "../../kernel/actor.js"
import { auditRow } from "../../kernel/auditRow.js"
import type { Decision } from "../../kernel/Decider.js"
import { complete } from "../../kernel/input/complete.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { changeProblems } from "../../kernel/input/Patch.js"
import type { Bot } from "../../model/Bot.js"
import type { Instant } from "../../model/Instant.js"
import type { Script } from "../../model/Script.js"
import { changes, expect, set } from "../../ports/Changes.js"
import type { BotPatch } from "./BotInput.js"
import { type ScriptReferences, scriptReferenceProblems } from "./scriptReferences.js"

/**
 * `PATCH /bots/{id}`. New references of the script must exist, and all references when the bot becomes active. Running
 * sessions keep the script that they started with.
 */
export const updateBot = (
  world: { readonly bot: Bot; readonly references: ScriptReferences },
  decoded: PartialDecode<BotPatch>,
  now: Instant,
  ids: ActingIds
): Either.Either<Decision<Bot>, Refusal> =>
  Either.gen(function* () {
    const { bot, references } = world
    const { id, version, workspaceId } = bot
    const {
      name = bot.name,
      status = bot.status,
      workspaceId: _,
      ...given
    } = yield* complete(
      decoded,
      changeProblems({ workspace_id: [workspaceId, decoded.value.workspaceId] }),
      scriptReferenceProblems(changedReferences(bot, decoded.value), references)
    )
    const values = { name, status, script: { ...bot.script, ...given } }
    const moved = status === bot.status ? [] : [status === "active" ? "bot.activated" : "bot.deactivated"]
    return {
      changes: changes(workspaceId, {
        expects: [expect("bots", { id }, { version })],
        sets: [set("bots", { id }, values)],
        inserts: moved.map((action) => auditRow({ workspaceId, applicationId: null, action, subjectId: id }, now, ids))
      }),
      result: { ...bot, ...values, version: version + 1 }
    }
  })

/** The parts of the script whose references are checked. */
export const changedReferences = (
  { script, status }: Bot,
  given: Partial<BotPatch>
): Partial<Pick<Script, "start" | "steps">> => ({
  ...(given.status === "active" && status === "inactive" ? { start: script.start, steps: script.steps } : {}),
  ...(given.start === undefined ? {} : { start: given.start }),
  ...(given.steps === undefined ? {} : { steps: given.steps })
})
