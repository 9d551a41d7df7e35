import type { Mutant } from "./Mutant.js"

/** Faults of bots and of the people who take over from them. */
export const botMutants: ReadonlyArray<Mutant> = [
  {
    name: "bot-message-lost",
    fault: "A customer's message that a bot is to answer has no job.",
    promise: "keyword-starts-a-bot",
    file: "core/src/flows/inbound/receiveMessage.ts",
    find: "          ...(isForBot ? [botMessageJob(message)] : []),\n",
    replacement: ""
  },
  {
    name: "bot-texts-doubled",
    fault: "A bot says the texts of a turn twice.",
    promise: "bot-says-once",
    file: "core/src/flows/bots/recordTurn.ts",
    find: "queueBotMessages(world, before, turn.messages, now, ids)",
    replacement: "queueBotMessages(world, before, [...turn.messages, ...turn.messages], now, ids)"
  },
  {
    name: "bot-texts-missing",
    fault: "A bot says nothing in the turn with which it ends.",
    promise: "bot-says-once",
    file: "core/src/flows/bots/recordTurn.ts",
    find: "queueBotMessages(world, before, turn.messages, now, ids)",
    replacement: "queueBotMessages(world, before, turn.ending === null ? turn.messages : [], now, ids)"
  },
  {
    name: "bot-times-out-early",
    fault: "A session times out at the time of its first question, also after later ones.",
    promise: "bot-times-out-in-time",
    file: "core/src/flows/bots/timeOut.ts",
    find: "  if (session.expiresAt > now) return postponeBotJob(job, session.expiresAt)\n",
    replacement: ""
  },
  {
    name: "bot-never-times-out",
    fault: "A session has no time-out.",
    promise: "bot-session-ends",
    file: "core/src/flows/bots/recordTurn.ts",
    find: 'session.status === "active" ? [timeOutJob(session)] : []',
    replacement: 'session.status === "active" ? [] : [timeOutJob(session)]'
  },
  {
    name: "bot-started-missing",
    fault: "A bot that starts emits no event.",
    promise: "event-delivered",
    file: "core/src/flows/bots/recordTurn.ts",
    find: ", ...emit(world.subscribers, started, now, ids, eventId)]",
    replacement: ", ...emit(world.subscribers, started, now, ids, eventId).slice(0, 0)]"
  },
  {
    name: "bot-end-missing",
    fault: "A session that ends emits no event.",
    promise: "event-delivered",
    file: "core/src/flows/bots/recordTurn.ts",
    find: "...(ending === null ? [] : [botEvent(endOf(ending), session, conversation, window)])",
    replacement:
      "...(ending === null || session.id !== window ? [] : [botEvent(endOf(ending), session, conversation, window)])"
  },
  {
    name: "bot-outcome-wrong",
    fault: "The event of a session that timed out says that it finished.",
    promise: "bot-session-stays-ended",
    file: "core/src/flows/bots/botEvent.ts",
    find: 'type === "bot.completed" ? { outcome }',
    replacement: 'type === "bot.completed" ? { outcome: "finished" }'
  },
  {
    name: "bot-answer-lost",
    fault: "A turn does not store the customer's answer.",
    promise: "bot-stores-answers",
    file: "core/src/flows/bots/recordTurn.ts",
    find: "    answers,\n    step,",
    replacement: "    step,"
  },
  {
    name: "bot-not-stopped-by-reply",
    fault: "An agent's reply does not stop the bot.",
    promise: "takeover-stops-the-bot",
    file: "core/src/flows/agentReplies/reply.ts",
    find: "        ...stopBot({ ...world, serviceWindowHours }, opened.conversation, now, ids)\n",
    replacement: "        ...stopBot({ ...world, serviceWindowHours }, opened.conversation, now, ids).slice(0, 0)\n"
  },
  {
    name: "reply-not-handed-over",
    fault: "An agent's reply is answered 202, and not stored.",
    promise: "accepted-message-exists",
    file: "core/src/flows/agentReplies/reply.ts",
    find: "        ...queued.flatMap(({ parts }) => parts),\n",
    replacement: ""
  }
]
