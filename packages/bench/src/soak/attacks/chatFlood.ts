import { randomUUID } from "node:crypto"
import { type ClientRequest, request } from "node:http"
import { chatConnectionId } from "../../world/seedChat.js"
import { type Attack, type AttackContext, flood, requester } from "./Attack.js"

const sessionsPerSecond = 20
const churnPerSecond = 50
const messagesPerSecond = 20
const path = `/inbound/${chatConnectionId}`
const text = "x".repeat(4_000)

const json = { "content-type": "application/json" }

/** Counts results by what they are of. */
const counted = (context: AttackContext, what: string): AttackContext => ({
  ...context,
  count: (result) => context.count(`${what} ${result}`)
})

/** Opens a session; returns its token, or undefined if it was refused. */
const opening = (context: AttackContext) => {
  const open = requester(counted(context, "session"))
  return async (): Promise<string | undefined> =>
    /"token":"([^"]+)"/.exec(await open({ method: "POST", path: `${path}/session`, headers: json, body: "{}" }))?.[1]
}

/** Opens a stream, which stays open until it is destroyed. */
const follow = (
  { address, count, origin }: AttackContext,
  authorization: string,
  onOpen = (_stream: ClientRequest) => {}
): ClientRequest => {
  const sent = request(
    `${origin}${path}/stream`,
    { agent: false, localAddress: address, headers: { authorization } },
    (response) => {
      count(`stream ${response.statusCode}`)
      response.on("error", () => {})
      response.resume()
      onOpen(sent)
    }
  )
  sent.on("error", () => {})
  sent.end()
  return sent
}

/** One address opens sessions, a stream for each, and writes messages of 4 kB. */
export const chatFlood: Attack = async (context) => {
  const open = opening(context)
  const write = requester(counted(context, "message"))
  const tokens: Array<string> = []
  const streams: Array<ClientRequest> = []
  const visit = async () => {
    const token = await open()
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

/** Sessions of one address that end their streams as soon as they are open, and open them again. */
export const streamChurn: Attack = (context) => {
  const open = opening(context)
  const tokens: Array<string> = []
  let next = 0
  return flood(context, churnPerSecond, async () => {
    if (tokens.length < churnPerSecond) {
      const token = await open()
      if (token !== undefined) tokens.push(token)
      return
    }
    await new Promise<void>((resolve) => {
      const stream = follow(context, `Bearer ${tokens[next++ % tokens.length]}`, (opened) => opened.destroy())
      stream.once("close", () => resolve())
      context.stop.addEventListener("abort", () => stream.destroy(), { once: true })
    })
  })
}
