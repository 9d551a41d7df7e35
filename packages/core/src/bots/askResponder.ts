import { Cause, Duration, Effect, Either, Option, Schema } from "effect"
import { second } from "../Instant.js"
import { listOf, text } from "../input/Fields.js"
import { key } from "../input/Key.js"
import { given } from "../input/Patch.js"
import { problemsOf } from "../input/problemsOf.js"
import type { BotAnswer, BotResponder, BotTurn } from "../ports/BotResponder.js"
import type { Turn } from "./dialogue.js"

/** What came of asking: its answer, why there is none now, or that this host has no responder. */
export type Responded =
  | { readonly _tag: "Answered"; readonly answer: BotAnswer }
  | { readonly _tag: "Unavailable"; readonly reason: string }
  | { readonly _tag: "Absent" }

const patience = Duration.millis(30 * second)

const isKey = Schema.is(key)

const answersSchema = Schema.Record({
  key: Schema.String,
  value: Schema.Union(text(4_096), Schema.JsonNumber, Schema.Boolean)
}).pipe(
  Schema.filter(
    (answers) =>
      (Object.keys(answers).length <= 100 && Object.keys(answers).every(isKey)) ||
      "must be at most 100 answers with the keys of steps"
  )
)

const answerSchema = Schema.Struct({
  say: listOf(text(4_096), 10),
  answers: given(answersSchema),
  outcome: Schema.Literal("continue", "hand_off", "finish")
})
const decode = Schema.decodeUnknownEither(answerSchema, { errors: "all" })

/** Asks the responder, whatever it does: one that fails, takes too long or says what cannot be kept is unavailable. */
export const askResponder = (responder: Option.Option<BotResponder>, turn: BotTurn): Effect.Effect<Responded> =>
  Option.match(responder, {
    onNone: () => Effect.succeed<Responded>({ _tag: "Absent" }),
    onSome: ({ respond }) =>
      Effect.suspend(() => respond(turn)).pipe(
        Effect.map(checked),
        Effect.timeoutTo({
          duration: patience,
          onSuccess: (responded) => responded,
          onTimeout: () => unavailable("did not answer in time")
        }),
        Effect.catchTag("ResponderUnavailable", ({ reason }) => Effect.succeed(unavailable(reason))),
        Effect.catchAllDefect((defect) =>
          Effect.as(
            Effect.logError("a bot responder failed unexpectedly", Cause.die(defect)),
            unavailable("failed unexpectedly")
          )
        )
      )
  })

const unavailable = (reason: string): Responded => ({ _tag: "Unavailable", reason })

const checked = (answer: BotAnswer): Responded =>
  Either.match(decode(answer), {
    onLeft: ({ issue }) =>
      unavailable(
        Object.entries(problemsOf(issue))
          .map(([field, words]) => `${field} ${words.join(" and ")}`)
          .join("; ")
      ),
    onRight: (answer) => ({ _tag: "Answered", answer })
  })

/** A responder's answer as the turn of its bot. */
export const turnOf = ({ answers, outcome, say }: BotAnswer, known: Turn["answers"]): Turn => ({
  says: say.filter((text) => text.trim() !== ""),
  answers: { ...known, ...answers },
  step: null,
  tries: 0,
  ending:
    outcome === "continue"
      ? null
      : outcome === "finish"
        ? { type: "finished" }
        : { type: "handed_off", agentId: null, teamId: null, reason: null }
})
