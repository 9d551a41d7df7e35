import { Cause, Duration, Effect, Either, Option, Schema } from "effect"
import { listOf, optional, requiredText, text } from "../../kernel/input/Fields.js"
import { key } from "../../kernel/input/Key.js"
import { given } from "../../kernel/input/Patch.js"
import { problemsOf } from "../../kernel/input/problemsOf.js"
import { second } from "../../model/Instant.js"
import type { BotAnswer, BotResponder, BotTurn } from "../../ports/BotResponder.js"
import { unknownContentType } from "../../resources/attachments/describeFile.js"
import { mediaType } from "../../resources/messages/ContentInput.js"
import { messageContent } from "../../resources/messages/DefinedContentInput.js"
import { isSaid, sayText, type Turn } from "./dialogue.js"
import { sayProblems } from "./StepInput.js"

/** The result of a responder call: the answer, a failure, or no responder on this host. */
export type ResponderResult =
  | { readonly _tag: "Answered"; readonly answer: ReadBotAnswer }
  | { readonly _tag: "Unavailable"; readonly reason: string }
  | { readonly _tag: "Absent" }

const timeout = Duration.millis(30 * second)

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

const file = Schema.Struct({
  url: requiredText(2_048),
  contentType: Schema.optionalWith(mediaType, { default: () => unknownContentType }),
  fileName: optional(text(255))
})

const said = Schema.Struct({
  text: given(text(4_096)),
  content: given(messageContent),
  attachments: given(listOf(file, 30, 1))
}).pipe(
  Schema.filter((message) =>
    Object.entries(sayProblems({ ...message })).map(([field, [problem]]) => ({ path: [field], message: `${problem}` }))
  )
)

const answerSchema = Schema.Struct({
  say: listOf(Schema.Union(text(4_096), said), 10),
  answers: given(answersSchema),
  outcome: Schema.Literal("continue", "hand_off", "finish")
})
type ReadBotAnswer = typeof answerSchema.Type
const decode = Schema.decodeUnknownEither(answerSchema, { errors: "all" })

/** Calls the responder. A failure, a timeout, a throw or an answer that cannot be stored all count as unavailable. */
export const askResponder = (responder: Option.Option<BotResponder>, turn: BotTurn): Effect.Effect<ResponderResult> =>
  Option.match(responder, {
    onNone: () => Effect.succeed<ResponderResult>({ _tag: "Absent" }),
    onSome: ({ respond }) =>
      Effect.suspend(() => respond(turn)).pipe(
        Effect.map(checked),
        Effect.timeoutTo({
          duration: timeout,
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

const unavailable = (reason: string): ResponderResult => ({ _tag: "Unavailable", reason })

const checked = (answer: BotAnswer): ResponderResult =>
  Either.match(decode(answer), {
    onLeft: ({ issue }) =>
      unavailable(
        Object.entries(problemsOf(issue))
          .map(([field, message]) => `${field} ${message.join(" and ")}`)
          .join("; ")
      ),
    onRight: (answer) => ({ _tag: "Answered", answer })
  })

/** Converts a responder's answer into a turn of the bot. */
export const turnOfAnswer = ({ answers, outcome, say }: ReadBotAnswer, known: Turn["answers"]): Turn => ({
  messages: say
    .map((one) =>
      typeof one === "string"
        ? sayText(one)
        : { body: one.text ?? "", content: one.content ?? null, files: one.attachments ?? [] }
    )
    .filter(isSaid),
  answers: { ...known, ...answers },
  step: null,
  tries: 0,
  ending:
    outcome === "continue"
      ? null
      : outcome === "finish"
        ? { type: "finished" }
        : { type: "handed_off", agentId: null, teamId: null, reason: null, notifies: true }
})
