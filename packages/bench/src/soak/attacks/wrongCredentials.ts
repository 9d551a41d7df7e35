import { randomUUID } from "node:crypto"
import { type Attack, flood, requester } from "./Attack.js"

const perSecond = 100

/** Guesses admin tokens, API keys and secrets of OAuth clients in turn. */
export const wrongCredentials: Attack = (context) => {
  const send = requester(context)
  const guesses = [
    () => send({ method: "GET", path: "/admin/v1/workspaces", headers: { authorization: `Bearer ${randomUUID()}` } }),
    () =>
      send({
        method: "GET",
        path: "/api/v1/contacts",
        headers: { authorization: `Bearer parley_test_${randomUUID().replaceAll("-", "")}` }
      }),
    () =>
      send({
        method: "POST",
        path: "/api/v1/oauth/token",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: `grant_type=client_credentials&client_id=parley_client_1&client_secret=${randomUUID()}`
      })
  ]
  let next = 0
  return flood(context, perSecond, () => (guesses[next++ % guesses.length] as () => Promise<unknown>)())
}
