import { randomUUID } from "node:crypto"
import { type ClientRequest, request } from "node:http"
import { chatConnectionId } from "../../world/seedChat.js"
import { type Attack, type AttackContext, flood, requester } from "./Attack.js"

const sessionsPerSecond = 20
const messagesPerSecond = 20
const path = `/inbound/${chatConnectionId}`
const text = "x".repeat(4_000)

/** Opens a stream and holds it until the attack ends. */
const follow = ({ address, count, origin }: AttackContext, authorization: string): ClientRequest => {
  const sent = request(
    `${origin}${path}/stream`,
    { agent: false, localAddress: address, headers: { authorization } },
    (response) => {
      count(`stream ${response.statusCode}`)
      response.on("error", () => {})
      response.resume()
    }
  )
  sent.on("error", () => {})
  sent.end()
  return sent
}

/** One address opens sessions, a stream for each, and writes messages of 4 kB. */
export const chatFlood: Attack = async (context) => {
  const counted = (what: string) => ({ ...context, count: (result: string) => context.count(`${what} ${result}`) })
  const open = requester(counted("session"))
  const write = requester(counted("message"))
  const json = { "content-type": "application/json" }
  const tokens: Array<string> = []
  const streams: Array<ClientRequest> = []
  const visit = async () => {
    const answer = await open({ method: "POST", path: `${path}/session`, headers: json, body: "{}" })
    const token = /"token":"([^"]+)"/.exec(answer)?.[1]
    if (token === undefined || context.stop.aborted) return
    tokens.push(token)
    streams.push(follow(context, `Bearer ${token}`))
  }
  let next = 0
  const message = async () => {
    if (tokens.length === 0) return
    const authorization = `Bearer ${tokens[next++ % tokens.length]}`
    const body = JSON.stringify({ id: randomUUID(), body: text })
    await write({ method: "POST", path: `${path}/messages`, headers: { ...json, authorization }, body })
  }
  await Promise.all([flood(context, sessionsPerSecond, visit), flood(context, messagesPerSecond, message)])
  for (const stream of streams) stream.destroy()
}
