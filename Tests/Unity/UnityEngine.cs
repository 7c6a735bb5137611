// Stand-ins for what the snippets of docs/guide/unity.md use of Unity: preferences in memory, coroutines that run to their end,
// and web requests that are sent.
using System;
using System.Collections;
using System.Collections.Generic;
using System.IO;
using System.Net;
using UnityEngine.Networking;

namespace UnityEngine
{
    public static class PlayerPrefs
    {
        private static readonly Dictionary<string, object> Values = new Dictionary<string, object>();

        public static int GetInt(string name) { object value; return Values.TryGetValue(name, out value) ? (int)value : 0; }
        public static void SetInt(string name, int value) { Values[name] = value; }
        public static string GetString(string name, string other) { object value; return Values.TryGetValue(name, out value) ? (string)value : other; }
        public static void SetString(string name, string value) { Values[name] = value; }
        public static void Save() { }
    }

    public sealed class WaitForSecondsRealtime
    {
        public WaitForSecondsRealtime(float seconds) { }
    }

    public static class Random
    {
        public static float value { get { return 0.5f; } }
    }

    public sealed class GameObject { }

    public sealed class Coroutine { }

    public class MonoBehaviour
    {
        public GameObject gameObject;

        public static void Destroy(object thing) { }
        public static void DontDestroyOnLoad(object thing) { }
        public Coroutine StartCoroutine(IEnumerator routine) { Run(routine); return null; }

        /// Without waiting: no test is about time.
        public static void Run(IEnumerator routine)
        {
            while (routine.MoveNext())
            {
                var inner = routine.Current as IEnumerator;
                if (inner != null) Run(inner);
            }
        }
    }

    public enum RuntimePlatform { Android, IPhonePlayer }

    public static class Application
    {
        public static RuntimePlatform platform = RuntimePlatform.Android;
        public static string absoluteURL = "";
        public static event Action<string> deepLinkActivated;

        public static void Activate(string link) { deepLinkActivated(link); }
    }

    public static class Debug
    {
        public static void LogWarning(string text) { Console.Error.WriteLine(text); }
    }
}

namespace UnityEngine.Networking
{
    public sealed class UploadHandlerRaw
    {
        public readonly byte[] Bytes;

        public UploadHandlerRaw(byte[] bytes) { Bytes = bytes; }
    }

    public sealed class DownloadHandlerBuffer
    {
        public string text;
    }

    public sealed class UnityWebRequest : IDisposable
    {
        public UploadHandlerRaw uploadHandler;
        public DownloadHandlerBuffer downloadHandler;
        public int timeout, redirectLimit;
        public long responseCode;
        public string error;
        private readonly HttpWebRequest request;
        private WebHeaderCollection fields = new WebHeaderCollection();

        public UnityWebRequest(string url, string method)
        {
            request = (HttpWebRequest)WebRequest.Create(url);
            request.Method = method;
            request.AllowAutoRedirect = false;
            request.Timeout = 15000;
        }

        public void SetRequestHeader(string name, string value)
        {
            if (name == "Content-Type") request.ContentType = value;
            else if (name == "Accept") request.Accept = value;
            else request.Headers[name] = value;
        }

        public string GetResponseHeader(string name) { return fields[name]; }

        public object SendWebRequest()
        {
            HttpWebResponse response = null;
            try
            {
                using (var stream = request.GetRequestStream()) stream.Write(uploadHandler.Bytes, 0, uploadHandler.Bytes.Length);
                response = (HttpWebResponse)request.GetResponse();
            }
            catch (WebException failure)
            {
                error = failure.Message;
                response = (HttpWebResponse)failure.Response;
            }
            if (response == null) return null;
            responseCode = (long)response.StatusCode;
            fields = response.Headers;
            using (var reader = new StreamReader(response.GetResponseStream())) downloadHandler.text = reader.ReadToEnd();
            response.Close();
            return null;
        }

        public void Dispose() { }
    }
}
