import { Agent, type ClientRequest, request } from "node:http"
import { answerOrders } from "./answerOrders.js"

/** Opens or ends streams, each of a visitor of its own with an address of its own. */
export type VisitorsOrder = { readonly open: number; readonly url: string; readonly isChat: boolean } | "end"

/** The number of streams that are open. */
export type VisitorsAnswer = number

/** Requests that run at the same time. */
const concurrency = 64
const open = new Set<ClientRequest>()

const addressOf = (visitor: number): string => `10.${(visitor >> 16) & 255}.${(visitor >> 8) & 255}.${visitor & 255}`

/** The token of a new visitor. */
const tokenOf = (url: string, address: string, agent: Agent): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = { "x-forwarded-for": address, "content-type": "application/json" }
    const sent = request(`${url}/session`, { method: "POST", agent, headers }, (response) => {
      let text = ""
      response.setEncoding("utf8")
      response.on("data", (chunk) => {
        text += chunk
      })
      response.on("end", () =>
        response.statusCode === 200 ? resolve(JSON.parse(text).data.token) : reject(new Error(text))
      )
    })
    // The server may close a connection while the request is under way.
    sent.on("error", (error) => (sent.reusedSocket ? resolve(tokenOf(url, address, agent)) : reject(error)))
    sent.end("{}")
  })

/** Resolves once the first bytes of the stream are here. */
const follow = (url: string, headers: { readonly [name: string]: string }): Promise<void> =>
  new Promise((resolve, reject) => {
    const sent = request(`${url}/stream`, { agent: false, headers }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`a stream was answered ${response.statusCode}`))
      response.on("data", () => resolve())
      response.on("error", () => {})
    })
    sent.on("error", (error) => (open.has(sent) ? reject(error) : undefined))
    sent.on("close", () => open.delete(sent))
    open.add(sent)
    sent.end()
  })

let visitors = 0

const openStreams = async (count: number, url: string, isChat: boolean): Promise<void> => {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  let left = count
  const worker = async () => {
    while (left-- > 0) {
      const address = addressOf(++visitors)
      // Requests of the same size, because servers keep their headers in memory.
      const token = isChat ? await tokenOf(url, address, agent) : "x".repeat(220)
      await follow(url, { "x-forwarded-for": address, authorization: `Bearer ${token}` })
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  agent.destroy()
}

const end = (): void => {
  const all = [...open]
  open.clear()
  for (const stream of all) stream.destroy()
}

answerOrders<VisitorsOrder>(async (order) => {
  if (order === "end") end()
  else await openStreams(order.open, order.url, order.isChat)
  return open.size satisfies VisitorsAnswer
})
