import { expect, it } from "@effect/vitest"
import { Access, type LoggedRequest, noteRequest, RequestLog, refuse } from "@parley/core"
import { Context, Effect } from "effect"
import { makeInterpreter, publicModule } from "../src/index.js"
import { caller, contact, contactId, fakes, token } from "./fakes.js"

const owner = { applicationId: "application", workspaceId: "workspace" }

it.effect("logs a request under its own application, also if one fiber makes several", () =>
  Effect.gen(function* () {
    const lines: Array<LoggedRequest> = []
    const services = fakes({ getContact: () => Effect.succeed(contact) }).services.pipe(
      Context.add(RequestLog, { record: (line) => void lines.push(line) }),
      Context.add(Access, {
        authenticate: () => Effect.dieMessage("unused"),
        admitInProcess: () => Effect.dieMessage("unused"),
        admit: (given) =>
          given === token
            ? Effect.as(
                noteRequest((request) => {
                  request.requester = owner
                }),
                caller()
              )
            : Effect.fail(refuse("unauthenticated"))
      })
    )
    const { answer } = yield* Effect.flatMap(publicModule, (module) => makeInterpreter({ modules: [module] })).pipe(
      Effect.provide(services)
    )
    const ask = (bearer: string) =>
      answer({
        method: "GET",
        url: `/api/v1/contacts/${contactId}?note=hunter2`,
        headers: { authorization: `Bearer ${bearer}` },
        peer: null,
        body: () => Effect.succeed(null)
      })
    const known = yield* ask(token)
    const unknown = yield* ask("somebody-else")
    expect([known.status, unknown.status]).toEqual([200, 401])
    expect(lines).toEqual([
      {
        ...owner,
        id: known.headers["x-request-id"],
        method: "GET",
        path: `/api/v1/contacts/${contactId}`,
        status: 200,
        durationMs: 0,
        errorCode: null,
        createdAt: 0
      }
    ])
  })
)
