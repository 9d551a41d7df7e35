import { type OutboundRequest, type OutboundResult, parseUrl } from "@parley/core"
import type { Dispatcher } from "undici"
import { answerText } from "./answerText.js"
import { failureWords } from "./failureWords.js"
import { diedAfterUse } from "./usedConnections.js"

const mostBytesRead = 64 * 1_024

/** What requests go out over. */
export interface Connections {
  /** Keeps connections alive, and uses them again. */
  readonly kept: Dispatcher
  /** Opens a connection for each request. */
  readonly fresh: Dispatcher
}

/** An exchange that is under way. */
export interface Exchange {
  /** Ends it for this reason, unless it is over, and closes its connection. */
  readonly giveUp: (reason: string) => void
}

/**
 * Posts a request and tells the result, once. The other side may close a connection that was kept just when it is used
 * again: where one dies before a single byte of the answer, the request goes out a second time, on a fresh one.
 *
 * It speaks to undici's dispatcher itself, for which a stream, a promise and a signal for each request cost too much.
 */
export const exchange = (
  { fresh, kept }: Connections,
  request: OutboundRequest,
  tell: (result: OutboundResult) => void
): Exchange => {
  let controller: Dispatcher.DispatchController | null = null
  let over = false
  const end = (result: OutboundResult) => {
    if (over) return
    over = true
    tell(result)
  }

  const send = (url: URL, dispatcher: Dispatcher) => {
    let begun = false
    let status = 0
    let size = 0
    const chunks: Array<Uint8Array> = []
    const answer = () => end({ _tag: "Answered", status, body: answerText(Buffer.concat(chunks)) })
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (started) => {
        controller = started
        if (over) started.abort(givenUp)
      },
      onResponseStarted: () => {
        begun = true
      },
      onResponseStart: (_, statusCode) => {
        status = statusCode
      },
      onResponseData: (reading, chunk) => {
        chunks.push(chunk)
        size += chunk.length
        if (size < mostBytesRead) return
        answer()
        reading.abort(givenUp)
      },
      // an answer that was read to its end leaves a connection that can be used again
      onResponseEnd: answer,
      onResponseError: (_, error) => {
        if (!begun && !over && dispatcher === kept && diedAfterUse(error)) send(url, fresh)
        else end(notAnswered(failureWords(error)))
      }
    }
    const { pathname, search, origin } = url
    const { body, headers } = request
    dispatcher.dispatch({ origin, path: `${pathname}${search}`, method: "POST", headers, body }, handler)
  }

  const url = parseUrl(request.url)
  if (url?.protocol === "https:" || url?.protocol === "http:") send(url, kept)
  else end(notAnswered("URL not valid"))
  return {
    giveUp: (reason) => {
      if (over) return
      end(notAnswered(reason))
      controller?.abort(givenUp)
    }
  }
}

const givenUp = new Error("given up")

const notAnswered = (error: string): OutboundResult => ({ _tag: "NotAnswered", error })
