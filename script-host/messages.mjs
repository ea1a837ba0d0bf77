// Messages of the conversation. Times are `Date` here and text on the wire.

export function reviveMessage(message) {
  if (message !== null && typeof message === 'object') message.createdAt = toDate(message.createdAt);
  return message;
}

export function toDate(time) {
  return typeof time === 'string' ? new Date(time) : time;
}
