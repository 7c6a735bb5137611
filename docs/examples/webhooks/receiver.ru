# Receives webhooks, with any Rack server: verifies each, stores it as inbox/ID.json, answers. A worker of yours takes it from there.
require "openssl"
require "fileutils"

KEY = ENV.fetch("WEBHOOK_SECRET").delete_prefix("whsec_").unpack1("m0")
abort "WEBHOOK_SECRET is empty or too short" if KEY.bytesize < 24
FileUtils.mkdir_p("inbox")

def genuine?(id, timestamp, signatures, body)
  return false unless id.match?(/\A[A-Za-z0-9_-]{1,200}\z/) && timestamp.match?(/\A[0-9]{1,12}\z/)
  return false if (Time.now.to_i - timestamp.to_i).abs > 300

  expected = "v1," + [OpenSSL::HMAC.digest("SHA256", KEY, "#{id}.#{timestamp}.".b + body.b)].pack("m0")
  signatures.split(" ").any? { |one| OpenSSL.secure_compare(expected, one) }
end

run(lambda do |env|
  body = env["rack.input"].read(1 << 20) || ""
  id, timestamp, signatures = %w[ID TIMESTAMP SIGNATURE].map { |name| env["HTTP_WEBHOOK_#{name}"] || "" }
  genuine = env["REQUEST_METHOD"] == "POST" && genuine?(id, timestamp, signatures, body)
  file = "inbox/#{id}.json"
  if genuine && !File.exist?(file) # Else it was received before.
    File.binwrite("#{file}.part", body)
    File.rename("#{file}.part", file)
  end
  [genuine ? 204 : 400, {}, []]
end)
