import { Either } from "effect"
import type { Bot } from "../../bots/Bot.js"
import type { Script } from "../../bots/Script.js"
import { type ScriptReferences, scriptReferenceProblems } from "../../bots/scriptReferences.js"
import type { Decision } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import type { Instant } from "../../Instant.js"
import { complete } from "../../input/complete.js"
import type { Draft } from "../../input/Draft.js"
import { changeProblems } from "../../input/Patch.js"
import { changes, expect, set } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { audited } from "../audited.js"
import type { BotPatch } from "./BotInput.js"

/**
 * `PATCH /bots/{id}`. What the script newly names has to be there, and all of it where the bot becomes active. Dialogues that
 * began go on with the script that they began with.
 */
export const updateBot = (
  world: { readonly bot: Bot; readonly references: ScriptReferences },
  draft: Draft<BotPatch>,
  now: Instant,
  ids: Ids
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
      draft,
      changeProblems({ workspace_id: [workspaceId, draft.value.workspaceId] }),
      scriptReferenceProblems(namedBy(bot, draft.value), references)
    )
    const values = { name, status, script: { ...bot.script, ...given } }
    const moved = status === bot.status ? [] : [status === "active" ? "bot.activated" : "bot.deactivated"]
    return {
      changes: changes(workspaceId, {
        expects: [expect("bots", { id }, { version })],
        sets: [set("bots", { id }, values)],
        inserts: moved.map((action) => audited({ workspaceId, applicationId: null, action, subjectId: id }, now, ids))
      }),
      result: { ...bot, ...values, version: version + 1 }
    }
  })

/** Which parts of the script have to name what is there. */
export const namedBy = (
  { script, status }: Bot,
  given: Partial<BotPatch>
): Partial<Pick<Script, "start" | "steps">> => ({
  ...(given.status === "active" && status === "inactive" ? { start: script.start, steps: script.steps } : {}),
  ...(given.start === undefined ? {} : { start: given.start }),
  ...(given.steps === undefined ? {} : { steps: given.steps })
})
