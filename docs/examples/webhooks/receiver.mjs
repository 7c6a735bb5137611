// Receives webhooks: verifies each, stores it as inbox/ID.json, answers. A worker of yours takes it from there.
import { createHmac, timingSafeEqual } from "node:crypto";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";

const key = Buffer.from((process.env.WEBHOOK_SECRET ?? "").replace(/^whsec_/, ""), "base64");
if (key.length < 24) throw new Error("WEBHOOK_SECRET is empty or too short");

function isGenuine(id, timestamp, signatures, body) {
  if (!/^[A-Za-z0-9_-]{1,200}$/.test(id) || !/^[0-9]{1,12}$/.test(timestamp)) return false;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false;
  const digest = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64");
  const expected = Buffer.from("v1," + digest);
  return signatures.split(" ").map((one) => Buffer.from(one))
    .some((one) => one.length === expected.length && timingSafeEqual(one, expected));
}

mkdirSync("inbox", { recursive: true });
createServer(async (request, response) => {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) if ((size += chunk.length) <= 1 << 20) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) => request.headers[`webhook-${name}`] ?? "");
  const genuine = request.method === "POST" && isGenuine(id, timestamp, signatures, body);
  const file = `inbox/${id}.json`;
  if (genuine && !existsSync(file)) { // Else it was received before.
    writeFileSync(file + ".part", body);
    renameSync(file + ".part", file);
  }
  response.writeHead(genuine ? 204 : 400).end();
}).listen(Number(process.env.PORT ?? 8000), "127.0.0.1");
