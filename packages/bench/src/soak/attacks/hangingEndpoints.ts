import { randomUUID } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { tenantKey } from "../../world/seedSoak.js"
import { bodyOf, handleOf } from "../../world/traffic.js"
import { type Attack, flood, requester } from "./Attack.js"

const perSecond = 3
const contacts = 500
/** Just below the timeout of an attempt, so that the endpoint is never disabled. */
const slowMs = 9_000

/** Receivers of the second tenant: those with an even number answer after 9 s, the others never. Returns their URL. */
export const hangingReceivers = async (): Promise<string> => {
  const server = createServer((request, response) => {
    request.resume()
    if (Number(request.url?.slice(1)) % 2 === 0) sleep(slowMs).then(() => response.end())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", 4_096, resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The second tenant sends as fast as its limit allows; all of its endpoints hang. */
export const hangingEndpoints: Attack = (context) => {
  const send = requester(context)
  let next = 0
  return flood(context, perSecond, () =>
    send({
      method: "POST",
      path: "/api/v1/messages",
      headers: {
        authorization: `Bearer ${tenantKey}`,
        "content-type": "application/json",
        "idempotency-key": randomUUID()
      },
      body: JSON.stringify(bodyOf(handleOf(next++ % contacts)))
    })
  )
}
