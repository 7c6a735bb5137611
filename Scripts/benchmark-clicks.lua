-- wrk's requests of Scripts/benchmark-clicks and Scripts/benchmark-clicks-servers: 16 at a time for random links, by people with one of
-- three browsers, on pages of some hosts, and one program in twenty. The arguments are the number of links, and milliseconds that each
-- connection waits between requests.
local agents = {
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36",
    "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:130.0) Gecko/20100101 Firefox/130.0",
}
local batches = {}
function init(arguments)
    local links = tonumber(arguments[1])
    local pause = tonumber(arguments[2] or 0)
    if pause > 0 then delay = function() return pause end end
    math.randomseed(42)
    for number = 1, 2000 do
        local batch = {}
        for place = 1, 16 do
            local agent = math.random(20) == 1 and "curl/8.0" or agents[math.random(3)]
            batch[place] = wrk.format("GET", "/s" .. math.random(0, links - 1), {
                ["Host"] = "go.example.com", ["User-Agent"] = agent, ["Accept-Language"] = "en-GB,en;q=0.8",
                ["Referer"] = "https://news" .. math.random(20) .. ".example/today",
            })
        end
        batches[number] = table.concat(batch)
    end
end
function request() return batches[math.random(2000)] end
