import { type OutboundRequest, type OutboundResult, parseUrl } from "@parley/core"
import type { Dispatcher } from "undici"
import { answerText } from "./answerText.js"
import { failureMessage } from "./failureMessage.js"
import { diedAfterUse } from "./usedConnections.js"

const maxBytesRead = 64 * 1_024

/** Dispatchers for outbound requests. */
export interface Connections {
  /** Keeps connections alive for reuse. */
  readonly kept: Dispatcher
  /** Opens a connection for each request. */
  readonly fresh: Dispatcher
}

/** A request in progress. */
export interface Exchange {
  /**
   * Ends the request with this reason and closes its connection. No effect once it has ended. `status`: of the response
   * whose body is incomplete; null before its headers.
   */
  readonly giveUp: (reason: (status: number | null) => string) => void
}

/**
 * Posts a request and reports the result once. A server may close a kept-alive connection at the moment of reuse: if it
 * closes before the first byte of the response, the request is sent again on a new connection.
 *
 * Uses undici's dispatcher directly: a stream, a promise and an abort signal per request cost too much.
 */
export const exchange = (
  { fresh, kept }: Connections,
  request: OutboundRequest,
  onResult: (result: OutboundResult) => void
): Exchange => {
  let controller: Dispatcher.DispatchController | null = null
  let over = false
  let answered: number | null = null
  const end = (result: OutboundResult) => {
    if (over) return
    over = true
    onResult(result)
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
        if (over) started.abort(timedOut)
      },
      onResponseStarted: () => {
        begun = true
      },
      onResponseStart: (_, statusCode) => {
        status = statusCode
        // Interim responses come before the response.
        if (status >= 200) answered = status
      },
      onResponseData: (reading, chunk) => {
        chunks.push(chunk)
        size += chunk.length
        if (size < maxBytesRead) return
        answer()
        reading.abort(timedOut)
      },
      // A response read to its end leaves its connection reusable.
      onResponseEnd: answer,
      onResponseError: (_, error) => {
        if (!begun && !over && dispatcher === kept && diedAfterUse(error)) send(url, fresh)
        else end(notAnswered(failureMessage(error)))
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
      end(notAnswered(reason(answered)))
      controller?.abort(timedOut)
    }
  }
}

const timedOut = new Error("given up")

const notAnswered = (error: string): OutboundResult => ({ _tag: "NotAnswered", error })
