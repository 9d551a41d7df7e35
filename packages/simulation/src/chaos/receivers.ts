import type { Chance } from "../run/Chance.js"
import type { ReceiverMood } from "../run/Receivers.js"
import type { Recorder } from "../run/Recorder.js"
import { bodyOf, listen } from "./listen.js"

/** The receivers of webhooks, at paths of one HTTP server. */
export interface ReceiverServer {
  readonly urlOf: (name: string) => string
  /** `probability`: how often the receiver behaves so; otherwise it works. */
  readonly setMood: (name: string, mood: ReceiverMood, probability: number) => void
  readonly allWork: () => void
  readonly close: () => void
}

const maxLatencyMs = 100
const slowMs = 9_000

export const startReceivers = async (chance: Chance, recorder: Recorder): Promise<ReceiverServer> => {
  const moods = new Map<string, { readonly mood: ReceiverMood; readonly probability: number }>()

  const server = await listen(async (request, response) => {
    const body = await bodyOf(request)
    if (body === null) return
    const attempt = recorder.number()
    const url = `${server.url}${request.url}`
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    recorder.record({ kind: "webhook", attempt, process: "a host", url, headers, body })
    const set = moods.get(request.url ?? "")
    const mood = set !== undefined && chance.happens(set.probability) ? set.mood : "works"
    if (mood === "hangs") return
    const answer = () => {
      const arrived = !response.destroyed && request.socket.writable
      if (mood === "breaks" || mood === "loses") {
        const status = mood === "breaks" ? null : 200
        recorder.record({ kind: "webhook-answer", attempt, status, arrived: false })
        request.socket.destroy()
        return
      }
      const status = mood === "fails" ? chance.pick([500, 503, 404, 429]) : chance.pick([200, 204])
      recorder.record({ kind: "webhook-answer", attempt, status, arrived })
      response.writeHead(status).end()
    }
    setTimeout(answer, chance.between(0, maxLatencyMs) + (mood === "slow" ? slowMs : 0))
  })
  return {
    urlOf: (name) => `${server.url}/${name}`,
    setMood: (name, mood, probability) => void moods.set(`/${name}`, { mood, probability }),
    allWork: () => moods.clear(),
    close: server.close
  }
}
