import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { contact, contactId } from "./fakes.js"
import { serve } from "./serve.js"

it.scopedLive("smoke", () =>
  Effect.gen(function* () {
    const served = yield* serve({ getContact: () => Effect.succeed(contact),
      createContact: (_c, command) => Effect.succeed({status: 201, body: JSON.stringify({data: command}), replayed: true}) })
    console.log(yield* served.request("GET", `/api/v1/contacts/${contactId}`))
    console.log(yield* served.request("POST", `/api/v1/contacts`, {json: {first_name: 3, email: "a@b.c"}, headers: {"idempotency-key": "a"}}))
    console.log(yield* served.request("POST", `/api/v1/contacts`, {json: {first_name: 3, email: "a@b.c"}}))
    console.log(yield* served.request("DELETE", `/api/v1/contacts`))
    console.log(yield* served.request("GET", `/api/v1/contacts/1`, {token: null}))
    console.log(yield* served.raw("GET / HTTP/1.1\r\nbad header\r\n\r\n"))
  }))
